/** A number below 1. */
type Random = () => number

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!
}

/** A well-formed filter over the fields s, n, b, i, a, flags and m. */
export function randomFilter(random: Random, depth = 3): string {
  if (depth === 0) return comparison(random, depth)
  switch (Math.floor(random() * 7)) {
    case 0:
      return `(${randomFilter(random, depth - 1)})`
    case 1:
      return `${pick(random, ['not ', '!'])}${simple(random, depth - 1)}`
    case 2:
      return `${pick(random, ['any', 'all'])}(${tests(random, depth - 1)})`
    case 3:
    case 4:
      return logical(random, () => simple(random, depth - 1))
    default:
      return comparison(random, depth)
  }
}

/** An expression that needs no parentheses. */
function simple(random: Random, depth: number): string {
  return random() < 0.5 ? comparison(random, depth) : `(${randomFilter(random, depth)})`
}

function logical(random: Random, item: () => string): string {
  const length = 2 + Math.floor(random() * 2)
  let text = item()
  for (let i = 1; i < length; i++) {
    text += ` ${pick(random, ['and', 'or', 'xor', '&&', '||', '^^'])} ${item()}`
  }
  return text
}

/** An argument of `any` and `all`. */
function tests(random: Random, depth: number): string {
  const one = () => elementTest(random)
  switch (Math.floor(random() * 5)) {
    case 0:
      return `(${logical(random, one)})`
    case 1:
      return `not ${logical(random, one)}`
    case 2:
      return `starts_with(a[*], ${text(random, depth)})`
    case 3:
      return pick(random, ['flags', 'flags[*]', '(flags)', 'not flags'])
    default:
      return one()
  }
}

function elementTest(random: Random): string {
  const operand = pick(random, [
    'a[*]',
    'm[*][*]',
    'm[*][0]',
    'lower(a[*])[*]',
    'm["x"][*]',
    'concat(a[*], "x")[*]',
  ])
  return `${operand} ${stringTest(random, 0)}`
}

function comparison(random: Random, depth: number): string {
  switch (Math.floor(random() * 5)) {
    case 0:
      return pick(random, [
        'b',
        'true',
        'flags[0]',
        'has_key(m, s)',
        'starts_with(s, r"a")',
        'ends_with(a[0], s)',
      ])
    case 1:
      return `${integer(random, depth)} ${integerTest(random, depth)}`
    case 2:
      return `${pick(random, ['i', 'cidr(i, 24, 64)'])} ${addressTest(random)}`
    default:
      return `${text(random, depth)} ${stringTest(random, depth)}`
  }
}

function text(random: Random, depth: number): string {
  if (depth <= 0) return pick(random, ['s', 'a[0]', 'm["a\\"b"][1]', 'm["\\xff"][0]'])
  const inner = text(random, depth - 1)
  return pick(random, [
    's',
    `lower(${inner})`,
    `concat(${inner}, "é", ${inner})`,
    `substring(${inner}, -3, 0x2)`,
    `url_decode(${inner}, "ur")`,
    `split(${inner}, ",", 3)[1]`,
    `coalesce(${inner}, "none")`,
    'to_string((b))',
    'to_string(not b)',
    `to_string(${inner} eq "x")`,
    `lookup_json_string(${inner}, "a", 0)`,
  ])
}

function integer(random: Random, depth: number): string {
  return pick(random, [
    'n',
    `len(${text(random, depth - 1)})`,
    'len(lower(a[*]))',
    'coalesce(n, 9223372036854775807)',
  ])
}

function stringTest(random: Random, depth: number): string {
  const literal = pick(random, strings)
  const order = pick(random, ['eq', 'ne', 'lt', 'le', 'gt', 'ge', '==', '!=', '<', '<=', '>', '>='])
  return pick(random, [
    `${order} ${literal}`,
    `${order} ${text(random, depth)}`,
    `contains ${literal}`,
    `in {${literal} ${pick(random, strings)}}`,
    `in $some.list_1`,
    `wildcard ${pick(random, ['"*a*"', '"a\\\\*"', 'r"\\\\*\\*"', '""'])}`,
    `strict wildcard ${pick(random, ['"x"', 'r#"*""#'])}`,
    `${pick(random, ['matches', '~'])} ${pick(random, patterns)}`,
  ])
}

const strings = [
  '"x"',
  '""',
  '"\\x41\\377"',
  '"a\\"b\\\\c"',
  'r"raw\\"',
  'r##"a"#b"##',
  '61:62-63.ff',
  '"é\n"',
  '"\\xc3\\xa9"',
]
const patterns = [
  '"^a\\.b$"',
  'r#"[\\"]"#',
  'r#"say "hi""#',
  '"a[\\"]b"',
  '"\\"q\\""',
  'r#"\\""#',
  '""',
  'r"(?i)é+"',
  'r#"[]"a]"#',
]

function integerTest(random: Random, depth: number): string {
  return pick(random, [
    'eq 010',
    '>= -9223372036854775808',
    'lt 0xFF',
    'in {1 5..10 -3..-1}',
    'in $asns',
    '& 6',
    'bitwise_and 9223372036854775807',
    `ne ${integer(random, depth)}`,
  ])
}

function addressTest(random: Random): string {
  return pick(random, [
    'eq 192.0.2.1',
    'ne ::ffff:192.0.2.1',
    'lt 2001:DB8:0:0::1',
    'in {10.0.0.0/8 192.0.2.1 ::/0 1.2.3.4..1.2.3.6 2001:db8::/33}',
    'in {0.0.0.0..255.255.255.255}',
    'in $office',
    'ge i',
  ])
}
