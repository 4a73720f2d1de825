import { limit, limits, tuning } from '../kit/limits.ts'

export const rulesetLimits = limits('Rulesets', {
  textCharactersMax: limit(
    4096,
    'characters',
    'Characters of a name, description or ref of rulesets and rules; more → 400.',
  ),
  rulesPerRulesetMax: limit(1000, 'count', 'Rules of one ruleset; more → 400.'),
  keptMemberBytesMax: limit(
    65_536,
    'bytes',
    'JSON of the expression, the parameters or the rate limit of a rule that is kept and not enforced; more → 400.',
  ),
  customLogFieldsMax: limit(40, 'count', 'Names of custom log fields in a zone, all arrays together.'),
  fieldNameBytesMax: limit(256, 'bytes', 'Bytes of a header or cookie name.'),
  blockContentBytesMax: limit(
    2048,
    'bytes',
    "Bytes of the response content of a block rule (Cloudflare's own limit).",
  ),
  errorContentBytesMax: limit(
    10 * 1024,
    'bytes',
    "Bytes of the content of a serve_error rule (Cloudflare's own limit).",
  ),
  headerChangesMax: limit(
    30,
    'count',
    "Headers that one rewrite rule changes (Cloudflare's own limit); more → 400.",
  ),
  rateLimitCharacteristicsMax: limit(20, 'count', 'Characteristics of one rate limit; more → 400.'),
  skipTargetsMax: limit(100, 'count', 'Targets of one skip rule; more → 400.'),
})

export const recordLimits = limits('DNS records', {
  cnameLinksMax: limit(
    8,
    'count',
    "CNAME records of a zone that lead to one another; a longer chain leads to the zone's `origin`.",
  ),
})

export const planLimits = limits('Plans of zones', {
  expressionsKept: tuning(
    20_000,
    'count',
    'Compiled expressions shared between zones; the oldest is dropped.',
  ),
  sharedPerProgramMax: tuning(
    20_000,
    'count',
    'Overrides and exceptions of one program that zones share; the oldest is dropped.',
  ),
})

export const fieldLimits = limits('Fields of expressions', {
  argumentsMax: limit(
    5000,
    'count',
    'Arguments of one query or form; the rest becomes one last argument, so that rules still see it.',
  ),
  cookiesMax: limit(1000, 'count', 'Cookies of one request; the rest becomes one last cookie.'),
  multipartPartsMax: limit(
    1000,
    'count',
    'Parts of one multipart body; the rest belongs to the last one, so that rules still see it.',
  ),
  multipartPartHeadersMax: limit(64, 'count', 'Header lines of one part; further ones are not read.'),
  multipartBoundaryBytesMax: limit(
    70,
    'bytes',
    'Bytes of a boundary (RFC 2046 section 5.1.1); with a longer one there are no parts.',
  ),
  languagesMax: limit(
    100,
    'count',
    'Languages of one request that are put in order; further ones are left out.',
  ),
})
