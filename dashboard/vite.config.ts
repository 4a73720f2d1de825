import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'

/** For `npm run dashboard:dev`, which forwards API calls to a Sluice at its default address. */
const api = 'http://127.0.0.1:8787'

/** Packages of most pages; packages of charts and of the code editor stay with the pages that have them. */
const library =
  /node_modules\/(@floating-ui|@mantine\/(core|hooks|notifications)|@tanstack|clsx|react(-[a-z-]+)?|scheduler|tabbable|use-[a-z-]+)\//

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
    rolldownOptions: {
      // HPKE uses Node's crypto only without Web Crypto.
      external: ['crypto'],
      // One file per component would make 50 files of a page: browsers load six at a time over HTTP/1.1.
      output: {
        codeSplitting: {
          groups: [
            { name: 'library', test: library, minShareCount: 3, priority: 1 },
            { name: 'shared', test: /dashboard\/src\/(api|app|ui)\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/client': api, '/docs': api, '/instant-logs': { target: api, ws: true } },
  },
}

export default config
