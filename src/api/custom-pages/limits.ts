import { limit, limits } from '../../kit/limits.ts'

export const customPageLimits = limits('Custom pages', {
  pageBytesMax: limit(128 * 1024, 'bytes', 'HTML of one page; longer → 400.'),
  pageUrlBytesMax: limit(2048, 'bytes', 'URL of a page; longer → 400.'),
  pageFetchMs: limit(10_000, 'ms', 'Time to fetch a page; longer → 400.'),
})
