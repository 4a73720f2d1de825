export { type Running, serve } from './serve.ts'
export { openStore } from './stores.ts'
