import { limit, limits } from '../../kit/limits.ts'

export const uploadLimits = limits('Certificates', {
  chainBytesMax: limit(64 * 1024, 'bytes', 'PEM of an uploaded certificate with its chain; longer → 400.'),
  chainCertificatesMax: limit(10, 'count', 'Certificates of an uploaded chain; more → 400.'),
  keyBytesMax: limit(16 * 1024, 'bytes', 'PEM of an uploaded key; longer → 400.'),
  namesMax: limit(200, 'count', 'Names of an uploaded certificate; more → 400.'),
  rsaBitsMin: limit(2048, 'bits', 'RSA key of an uploaded certificate; shorter → 400.'),
  rsaBitsMax: limit(
    4096,
    'bits',
    'RSA key of an uploaded certificate; longer → 400: its handshakes are slow.',
  ),
})
