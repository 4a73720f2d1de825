import { botManagement } from './bot-management.ts'
import { certificatePacks } from './certificate-packs.ts'
import { dnssec } from './dnssec.ts'
import { healthchecks } from './healthchecks.ts'
import { hostnameTlsSettings } from './hostname-tls-settings.ts'
import type { KeptCollection, KeptKind, KeptSingleton } from './kind.ts'
import { pageRules } from './page-rules.ts'
import { keptSwitches } from './switches.ts'
import { universalSsl } from './universal-ssl.ts'

export const keptCollections: readonly KeptCollection[] = [pageRules, healthchecks, certificatePacks]

export const keptSingletons: readonly KeptSingleton[] = [botManagement, universalSsl, dnssec, ...keptSwitches]

export const keptKinds: readonly KeptKind[] = [...keptCollections, ...keptSingletons, hostnameTlsSettings]
