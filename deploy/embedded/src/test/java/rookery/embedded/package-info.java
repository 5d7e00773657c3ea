@org.jspecify.annotations.NullMarked
package rookery.embedded;
