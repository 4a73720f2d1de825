export { detectXss } from './html/detect.ts'
export { xssRequirements } from './html/requirements.ts'
export { detectSqli } from './sql/detect.ts'
export { sqliRequirements } from './sql/requirements.ts'
