import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'

/** For `npm run dashboard:dev`, which sends calls of the API on to a Sluice that runs at its usual address. */
const api = 'http://127.0.0.1:8787'

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2022',
    // Assets as data: URLs would need more from the Content-Security-Policy.
    assetsInlineLimit: 0,
    // The polyfill is an inline script for browsers that are older than the target.
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    chunkSizeWarningLimit: 1000,
    // HPKE asks for Node's only where there is no crypto of browsers.
    rolldownOptions: { external: ['crypto'] },
  },
  server: {
    proxy: { '/client': api, '/docs': api, '/instant-logs': { target: api, ws: true } },
  },
}

export default config
