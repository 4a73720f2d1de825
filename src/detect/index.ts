export { detectXss, detectXssInSlices } from './html/detect.ts'
export { xssRequirements } from './html/requirements.ts'
export { detectSqli, detectSqliInSlices, isSqli, isSqliInSlices } from './sql/detect.ts'
export { sqliRequirements } from './sql/requirements.ts'
