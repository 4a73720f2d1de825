export { type InstalledProgram, installedProgram } from './installed-program.ts'
export { type Running, serve } from './serve.ts'
export { openRecordLog, openStore } from './stores.ts'
