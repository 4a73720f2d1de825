import { builtCheckout } from './build/checkout.ts'

/** `node scripts/run.ts WORDS` is `sluice WORDS` in a checkout, which is built first if its sources have changed. */
await import(builtCheckout())
