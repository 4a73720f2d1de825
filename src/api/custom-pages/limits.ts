import { limit, limits } from '../../kit/limits.ts'

export const customPageLimits = limits('Custom pages', {
  pageBytesMax: limit(128 * 1024, 'bytes', 'HTML of one page, or content of one asset; longer → 400.'),
  pageBoxesMax: limit(4, 'count', 'Tokens of one page that stand for a challenge or a reason; more → 400.'),
  assetsMax: limit(50, 'count', 'Custom error assets of a zone or an account; more → 403.'),
  assetDescriptionCharactersMax: limit(1000, 'characters', 'Description of an asset; longer → 400.'),
  pageUrlBytesMax: limit(2048, 'bytes', 'URL of a page; longer → 400.'),
  pageFetchMs: limit(10_000, 'ms', 'Time to fetch a page; longer → 400.'),
})
