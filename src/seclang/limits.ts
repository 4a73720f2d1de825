import { limit, limits } from '../kit/limits.ts'

export const seclangLimits = limits('Rule files', {
  sourceBytesMax: limit(
    8 * 1024 * 1024,
    'bytes',
    'One source file; a larger one is refused. The largest of the CRS is about 150 KB.',
  ),
  diagnosticsMax: limit(100, 'count', 'Mistakes reported for one load; reading stops there.'),
  includeDepthMax: limit(16, 'count', 'Depth of included files; deeper is refused (which also ends cycles).'),
  sourcesMax: limit(2000, 'count', 'Files of one load, counting each inclusion; more is refused.'),
  chainLinksMax: limit(64, 'count', 'Links under one rule; more is refused. The CRS has at most 5.'),
})
