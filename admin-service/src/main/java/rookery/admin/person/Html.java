// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

/** Pages without scripts, forms and addresses of other servers, in which every text of a person is escaped. */
final class Html {
    static final String END = "</table></body></html>\n";

    private static final String BEGIN = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>NAME</title>
            <style>body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}td,th{text-align:left;vertical-align:top;\
            padding:.2em .8em .2em 0}time{white-space:nowrap}td{overflow-wrap:anywhere;white-space:pre-wrap}</style></head>
            <body><h1>TITLE</h1>
            """;

    private Html() {}

    static String begin(String title) {
        return BEGIN.replace("NAME", escaped(title)).replace("<h1>TITLE", "<h1>" + text(title));
    }

    /** Escapes a text, and keeps its direction from its surroundings. */
    static String text(String text) {
        return "<bdi>" + escaped(text) + "</bdi>";
    }

    /** Escapes a text for an attribute or an element. Characters that a page must not have become U+FFFD. */
    static String escaped(String text) {
        var escaped = new StringBuilder();
        text.codePoints().forEach(character -> {
            switch (character) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                case '\n', '\t' -> escaped.appendCodePoint(character);
                default -> escaped.appendCodePoint(isPlain(character) ? character : 0xFFFD);
            }
        });
        return escaped.toString();
    }

    private static boolean isPlain(int character) {
        int type = Character.getType(character);
        return type != Character.CONTROL && type != Character.SURROGATE;
    }
}
