export { detectXss } from './html/detect.ts'
export { detectSqli } from './sql/detect.ts'
