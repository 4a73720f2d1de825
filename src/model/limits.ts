import { limit, limits } from '../kit/limits.ts'

export const zoneSettingLimits = limits('HTTP at the edge', {
  uploadMegabytesMax: limit(
    5000,
    'MB',
    'Highest value of the zone setting `max_upload`, and its default; higher → 400. A larger body → 413.',
  ),
})

export const originSettingLimits = limits('Origins', {
  originConnectSeconds: limit(
    10,
    's',
    'Time to connect to an origin, unless the zone setting `proxy_connect_timeout` sets it.',
  ),
})

export const settingLimits = limits('Values of settings', {
  streamBytesMin: limit(
    2 * 1024 ** 2,
    'bytes',
    'Lowest `SLUICE_NATS_BYTES` for each of its partitions, twice the longest record; lower → the start fails.',
  ),
  socketPathBytesMax: limit(
    90,
    'bytes',
    "Path of a Unix socket in an address; longer → the start fails. The system's own limit is 107, and a socket is made under a longer name.",
  ),
})

export const listItemLimits = limits('Lists', {
  hostNameCharactersMax: limit(253, 'characters', 'Host name of an item (RFC 1035); longer → 400.'),
})

export const redactionLimits = limits('Log records', {
  parametersMax: limit(
    100,
    'count',
    'Query parameters of a zone whose values are redacted by name; more → 400.',
  ),
  parameterCharactersMax: limit(128, 'characters', 'Name of one such parameter; longer → 400.'),
})

export const samplingLimits = limits('Shadow and What if', {
  defaultRate: limit(0.01, 'share', 'Share of requests that are sampled in a zone without a setting.'),
  matchesMax: limit(
    100,
    'count',
    'Matched rules that are kept with a sample; all of them count for its score.',
  ),
})
