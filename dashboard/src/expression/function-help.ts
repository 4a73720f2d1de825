/** What a function takes, and one sentence on what it gives. */
interface FunctionHelp {
  readonly signature: string
  readonly text: string
}

/** For every function of the engine; a test compares. */
export const functionHelp: ReadonlyMap<string, FunctionHelp> = new Map([
  ['any', { signature: 'any(test of each)', text: 'True when one element passes: any(x[*] eq "a").' }],
  [
    'all',
    { signature: 'all(test of each)', text: 'True when every element passes, and when there is none.' },
  ],
  ['lower', { signature: 'lower(text)', text: 'ASCII letters in lower case.' }],
  ['upper', { signature: 'upper(text)', text: 'ASCII letters in upper case.' }],
  ['len', { signature: 'len(text or array)', text: 'Bytes of a text, elements of an array.' }],
  ['concat', { signature: 'concat(a, b, …)', text: 'Joins 2 to 32 texts, or arrays of one type.' }],
  ['starts_with', { signature: 'starts_with(text, beginning)', text: 'Upper and lower case are different.' }],
  ['ends_with', { signature: 'ends_with(text, end)', text: 'Upper and lower case are different.' }],
  [
    'substring',
    {
      signature: 'substring(text, start, end?)',
      text: 'Bytes from start up to before end; negative from the end.',
    },
  ],
  [
    'url_decode',
    {
      signature: 'url_decode(text, options?)',
      text: '%HH and +. "r" until nothing changes, "u" also %uHHHH.',
    },
  ],
  ['remove_bytes', { signature: 'remove_bytes(text, bytes)', text: 'Without each of these bytes.' }],
  [
    'lookup_json_string',
    {
      signature: 'lookup_json_string(text, key, …)',
      text: 'The text at a path of names and positions in JSON.',
    },
  ],
  [
    'lookup_json_integer',
    {
      signature: 'lookup_json_integer(text, key, …)',
      text: 'The integer at a path of names and positions in JSON.',
    },
  ],
  ['has_key', { signature: 'has_key(map, key)', text: 'Is there such a key?' }],
  ['has_value', { signature: 'has_value(array or map, value)', text: 'Is there such a value?' }],
  ['coalesce', { signature: 'coalesce(a, b, …)', text: 'The first that is not missing.' }],
  [
    'hash_in_range',
    {
      signature: 'hash_in_range(low, high, value, …)',
      text: 'From low up to before high, the same for the same values.',
    },
  ],
  ['cidr', { signature: 'cidr(ip, bits4, bits6)', text: 'The address of the network: 1–32 and 1–128 bits.' }],
  ['cidr6', { signature: 'cidr6(ip, bits6)', text: 'The address of the IPv6 network; IPv4 stays as it is.' }],
  ['decode_base64', { signature: 'decode_base64(text)', text: 'Empty for what is no Base64.' }],
  ['join', { signature: 'join(array, separator)', text: 'Elements with the separator between them.' }],
  [
    'split',
    { signature: 'split(text, separator, limit)', text: '1 to 128 pieces; the last holds the rest.' },
  ],
  [
    'encode_base64',
    { signature: 'encode_base64(text, flags?)', text: '"p" padded, "u" with the URL-safe alphabet.' },
  ],
  ['sha256', { signature: 'sha256(text)', text: 'The hash, 32 bytes.' }],
  [
    'regex_replace',
    {
      signature: 'regex_replace(text, regex, replacement)',
      text: 'Replaces the first match; ${1} to ${8} are groups.',
    },
  ],
  [
    'wildcard_replace',
    {
      signature: 'wildcard_replace(text, pattern, replacement, flags?)',
      text: 'Replaces the whole text when it matches; ${1} to ${8} are the stars.',
    },
  ],
  ['to_string', { signature: 'to_string(value)', text: 'The text of an Integer, a Boolean or an IP.' }],
  [
    'remove_query_args',
    { signature: 'remove_query_args(query, name, …)', text: 'The query without these arguments.' },
  ],
  ['uuidv4', { signature: 'uuidv4(seed)', text: 'A UUID from cf.random_seed.' }],
  [
    'is_timed_hmac_valid_v0',
    {
      signature: 'is_timed_hmac_valid_v0(key, message, ttl, now, separatorLength?, flags?)',
      text: 'Is a signed token good, and younger than ttl seconds?',
    },
  ],
])
