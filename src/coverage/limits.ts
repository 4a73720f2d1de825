import { limit, limits } from '../kit/limits.ts'

export const keptLimits = limits('Resources that are not enforced', {
  keptResourcesMax: limit(
    500,
    'count',
    'Resources of one kind in an account or a zone, such as page rules; more → 400.',
  ),
  keptDocumentBytesMax: limit(65_536, 'bytes', 'JSON of one such resource; longer → 400.'),
})
