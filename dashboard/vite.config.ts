import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'

/** For `npm run dashboard:dev`, which forwards API calls to a Sluice at its default address. */
const api = 'http://127.0.0.1:8787'

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2022',
    // The Content-Security-Policy does not allow assets as data: URLs.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, for browsers older than the target.
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 1000,
    // HPKE uses Node's crypto only without Web Crypto.
    rolldownOptions: { external: ['crypto'] },
  },
  server: {
    proxy: { '/client': api, '/docs': api, '/instant-logs': { target: api, ws: true } },
  },
}

export default config
