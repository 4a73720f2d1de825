import { limit, limits, tuning } from '../kit/limits.ts'

export const wafLimits = limits('Bodies and values inside the rule engine', {
  searchesMax: tuning(
    24,
    'count',
    'Separate searches of one program for sets of rules; further masks share the search for all rules.',
  ),
  workMax: limit(
    512 * 1024 * 1024,
    'count',
    'Work of one request, in examined bytes; used up → the remaining rules are not evaluated, and `SLUICE_ON_ERROR` decides, or in the library the caller (`overBudget`).',
  ),
  sliceMs: tuning(1, 'ms', 'Work of the engine between two turns of other work.'),
  sliceBytes: tuning(16 * 1024, 'bytes', 'Part of a long value after which the engine looks at the clock.'),
  memoValueBytesMax: tuning(256, 'bytes', 'Longest value in the memo of matching rules.'),
  memoBytesMax: tuning(8 * 1024 * 1024, 'bytes', 'Memory of one program for its memo.'),
  literalStatesMax: tuning(
    60_000,
    'count',
    'States of the automaton that finds literals; rules with further literals are tested without it.',
  ),
  argumentsMax: limit(
    1000,
    'count',
    'Arguments of one source (query, body); the rest becomes one last argument, and an error is reported.',
  ),
  cookiesMax: limit(1000, 'count', 'Cookies of one header; the rest becomes one last cookie.'),
  jsonDepthMax: limit(512, 'count', 'Objects and arrays inside one another; deeper → error.'),
  jsonNameBytesMax: limit(
    8192,
    'bytes',
    'One argument name made from a path of JSON keys; longer → error. Names repeat in every leaf.',
  ),
  jsonNamesBytesMax: limit(
    512 * 1024,
    'bytes',
    'Argument names made from JSON keys, of one document together; more → error.',
  ),
  xmlDeclarationBytesMax: limit(256, 'bytes', 'Declaration `<?xml … ?>` of a document; longer → error.'),
  xmlDepthMax: limit(256, 'count', 'Elements inside one another; deeper → error.'),
  xmlElementsMax: limit(100_000, 'count', 'Elements of one document; more → error.'),
  xmlAttributesMax: limit(
    4096,
    'count',
    'Attribute values of one document, each inspected separately; more → error.',
  ),
  xmlElementAttributesMax: limit(256, 'count', 'Attributes of one element; more → error.'),
  multipartContentTypeBytesMax: limit(
    1024,
    'bytes',
    'Bytes of the Content-Type header that names a boundary; longer → error.',
  ),
  multipartBoundaryBytesMax: limit(
    70,
    'bytes',
    'Bytes of a boundary (RFC 2046 section 5.1.1); longer → error.',
  ),
  multipartFieldsMax: limit(1000, 'count', 'Parts without a file name; more → error.'),
  multipartFilesMax: limit(
    100,
    'count',
    'Parts with a file name that are kept; more → MULTIPART_FILE_LIMIT_EXCEEDED.',
  ),
  multipartPartHeadersMax: limit(64, 'count', 'Header lines of one part, foldings counted; more → error.'),
  multipartPartHeaderBytesMax: limit(
    4096,
    'bytes',
    'Bytes of one header line of a part, foldings joined; longer → error.',
  ),
  phrasesMax: limit(100_000, 'count', 'Phrases of one `@pm` dictionary; more → the rule is refused.'),
  phraseBytesMax: limit(16 * 1024, 'bytes', 'Bytes of one phrase; longer → the rule is refused.'),
  expandedPatternsMax: tuning(
    8,
    'count',
    'Patterns kept by an `@rx` with macros in its parameter; the oldest is dropped.',
  ),
  expandedPatternBytesMax: limit(
    4096,
    'bytes',
    'Bytes of an `@rx` pattern after macro expansion; longer → MSC_PCRE_LIMITS_EXCEEDED.',
  ),
  verifyBytesMax: limit(
    4 * 1024 * 1024,
    'bytes',
    'Bytes that `@verifyCC` and `@verifySSN` may search in one value, including restarts; used up → MSC_PCRE_LIMITS_EXCEEDED.',
  ),
})

export const explainLimits = limits('Explanations of requests', {
  valueBytesMax: limit(256, 'bytes', 'Shown part of a value, name or parameter, with its whole length.'),
  valuesMax: limit(32, 'count', 'Shown values for one link of a rule, with the number of the others.'),
})

export const transactionLimits = limits('Memory of rules for one request', {
  variablesMax: limit(
    10_000,
    'count',
    'Names in TX, or in one persistent record; further variables are not set.',
  ),
  variableBytesMax: limit(
    256 * 1024,
    'bytes',
    "Bytes of one variable's value after macro expansion; the rest is cut.",
  ),
  matchedVariablesMax: limit(
    4096,
    'count',
    'Values that MATCHED_VARS keeps within one chain; later ones are matched, but not kept.',
  ),
  persistentRecordsMax: limit(
    10_000,
    'count',
    'Records of persistent collections of one kind (clients); beyond it, the least recently used record is dropped.',
  ),
  persistentRecordBytesMax: limit(
    8 * 1024,
    'bytes',
    'Bytes of names and values in one such record; variables beyond it are not kept.',
  ),
  persistentKeyBytesMax: limit(1024, 'bytes', "Bytes of a record's key that count."),
})
