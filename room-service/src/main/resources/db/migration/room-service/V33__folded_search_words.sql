-- Words of searched texts as they are compared from now on (contract.md 13.7): the sharp s is two, the final sigma a sigma, each Turkish i an
-- i, and Korean is taken letter by letter and pair by pair. Only rows with such words are written.
UPDATE room.search s
   SET words = (
       SELECT string_agg('''' || w.word || '''' || coalesce(':' || array_to_string(v.positions, ','), ''), ' ')::tsvector
         FROM unnest(s.words) v
        CROSS JOIN LATERAL (SELECT r.run[1] AS run
                              FROM regexp_matches(
                                       replace(replace(replace(replace(v.lexeme, U&'i\0307', 'i'), U&'\0131', 'i'), U&'\00DF', 'ss'),
                                               U&'\03C2', U&'\03C3'),
                                       '[\u1100-\u11FF\uA960-\uA97F\uAC00-\uD7FB]+|[^\u1100-\u11FF\uA960-\uA97F\uAC00-\uD7FB]+',
                                       'g') AS r (run)) k
        CROSS JOIN LATERAL (
              SELECT k.run AS word WHERE k.run !~ '^[\u1100-\u11FF\uA960-\uA97F\uAC00-\uD7FB]'
               UNION ALL
              SELECT substr(k.run, i, size) FROM generate_series(1, length(k.run)) i, generate_series(1, 2) size
               WHERE k.run ~ '^[\u1100-\u11FF\uA960-\uA97F\uAC00-\uD7FB]' AND i + size - 1 <= length(k.run)) w)
 WHERE s.words::text ~ 'i\u0307|[\u0131\u00DF\u03C2\u1100-\u11FF\uA960-\uA97F\uAC00-\uD7FB]';
