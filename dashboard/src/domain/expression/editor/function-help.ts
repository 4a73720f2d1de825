/** Signature of a function, and one sentence about its result. */
interface FunctionHelp {
  readonly signature: string
  readonly text: string
}

/** Covers every function of the engine; a test compares. */
export const functionHelp: ReadonlyMap<string, FunctionHelp> = new Map([
  ['any', { signature: 'any(test of each)', text: 'True if any element passes: any(x[*] eq "a").' }],
  ['all', { signature: 'all(test of each)', text: 'True if all elements pass, or if there are none.' }],
  ['lower', { signature: 'lower(text)', text: 'Converts ASCII letters to lower case.' }],
  ['upper', { signature: 'upper(text)', text: 'Converts ASCII letters to upper case.' }],
  [
    'len',
    { signature: 'len(text or array)', text: 'Number of bytes in a string, or of elements in an array.' },
  ],
  ['concat', { signature: 'concat(a, b, …)', text: 'Joins 2 to 32 strings, or arrays of one type.' }],
  ['starts_with', { signature: 'starts_with(text, beginning)', text: 'Case-sensitive.' }],
  ['ends_with', { signature: 'ends_with(text, end)', text: 'Case-sensitive.' }],
  [
    'substring',
    {
      signature: 'substring(text, start, end?)',
      text: 'Bytes from start to end, end excluded. Negative numbers count from the end.',
    },
  ],
  [
    'url_decode',
    {
      signature: 'url_decode(text, options?)',
      text: 'Decodes %HH and +. "r" decodes repeatedly, "u" also decodes %uHHHH.',
    },
  ],
  [
    'remove_bytes',
    { signature: 'remove_bytes(text, bytes)', text: 'Removes all occurrences of these bytes.' },
  ],
  [
    'lookup_json_string',
    {
      signature: 'lookup_json_string(text, key, …)',
      text: 'String at a path of keys and indexes in JSON.',
    },
  ],
  [
    'lookup_json_integer',
    {
      signature: 'lookup_json_integer(text, key, …)',
      text: 'Integer at a path of keys and indexes in JSON.',
    },
  ],
  ['has_key', { signature: 'has_key(map, key)', text: 'True if the map has the key.' }],
  [
    'has_value',
    { signature: 'has_value(array or map, value)', text: 'True if the array or map has the value.' },
  ],
  ['coalesce', { signature: 'coalesce(a, b, …)', text: 'First argument that is not missing.' }],
  [
    'hash_in_range',
    {
      signature: 'hash_in_range(low, high, value, …)',
      text: 'Stable hash of the values, from low to high, high excluded.',
    },
  ],
  [
    'cidr',
    { signature: 'cidr(ip, bits4, bits6)', text: 'Network address: 1–32 bits for IPv4, 1–128 for IPv6.' },
  ],
  ['cidr6', { signature: 'cidr6(ip, bits6)', text: 'IPv6 network address; IPv4 is unchanged.' }],
  ['decode_base64', { signature: 'decode_base64(text)', text: 'Empty if the text is not valid Base64.' }],
  ['join', { signature: 'join(array, separator)', text: 'Joins elements with the separator.' }],
  [
    'split',
    {
      signature: 'split(text, separator, limit)',
      text: 'Splits into 1 to 128 pieces; the last one holds the rest.',
    },
  ],
  [
    'encode_base64',
    { signature: 'encode_base64(text, flags?)', text: '"p" adds padding, "u" uses the URL-safe alphabet.' },
  ],
  ['sha256', { signature: 'sha256(text)', text: 'SHA-256 digest, 32 bytes.' }],
  [
    'regex_replace',
    {
      signature: 'regex_replace(text, regex, replacement)',
      text: 'Replaces the first match; ${1} to ${8} are capture groups.',
    },
  ],
  [
    'wildcard_replace',
    {
      signature: 'wildcard_replace(text, pattern, replacement, flags?)',
      text: 'Replaces the whole string if it matches; ${1} to ${8} are the wildcards.',
    },
  ],
  ['to_string', { signature: 'to_string(value)', text: 'Converts an Integer, Boolean or IP to a string.' }],
  [
    'remove_query_args',
    { signature: 'remove_query_args(query, name, …)', text: 'Removes these arguments from the query.' },
  ],
  ['uuidv4', { signature: 'uuidv4(seed)', text: 'UUID from cf.random_seed.' }],
  [
    'is_timed_hmac_valid_v0',
    {
      signature: 'is_timed_hmac_valid_v0(key, message, ttl, now, separatorLength?, flags?)',
      text: 'True if the signed token is valid and younger than ttl seconds.',
    },
  ],
])
