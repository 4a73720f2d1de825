export type { AuthoritySettings, IssuedCertificate } from './authority.ts'
export { type AcmeOutcome, type Issuer, startIssuer } from './issuer.ts'
