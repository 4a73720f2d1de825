import type { TokenPolicy } from '../../../model/resource.ts'
import { groupsWithoutEffect } from './groups-without-effect.ts'

/** Kind of resource that a permission group applies to. */
export type GroupScope = 'account' | 'zone' | 'user' | 'bucket'

export type Level = 'read' | 'write'

/** A subject of permissions; each has a pair of permission groups, one to read and one to write. */
export type Area = keyof typeof areas

export interface PermissionGroup {
  readonly id: string
  readonly name: string
  readonly scopes: readonly GroupScope[]
  /** Undefined: the group is of another product of Cloudflare's, and grants nothing here. */
  readonly category?: Category
}

type Category =
  | 'dns_and_zones'
  | 'app_security'
  | 'rules_and_configuration'
  | 'analytics_and_logs'
  | 'network_services'
  | 'account_and_billing'

/**
 * One area a line: scope, category, name without `Read` and `Write`, and the ids of both groups.
 * @source names and ids of Cloudflare's permission groups, so that policies that name them by id mean the same here
 */
const areas = {
  zone: area(
    'zone',
    'dns_and_zones',
    'Zone',
    'c8fed203ed3043cba015a93ad1616f1f',
    'e6d2666161e84845a636613608cee8d5',
  ),
  zoneSettings: area(
    'zone',
    'dns_and_zones',
    'Zone Settings',
    '517b21aee92c4d89936c976ba6e4be55',
    '3030687196b94b638145a3953da2b699',
  ),
  dns: area(
    'zone',
    'dns_and_zones',
    'DNS',
    '82e64a83756745bbbb1c9c2701bf816b',
    '4755a26eedb94da69e1066d98aa820be',
  ),
  loadBalancers: area(
    'zone',
    'network_services',
    'Load Balancers',
    'e9a975f628014f1d85b723993116f7d5',
    '6d7f2f5f5b1d4a0e9081fdc98d432fd1',
  ),
  zoneCertificates: area(
    'zone',
    'dns_and_zones',
    'SSL and Certificates',
    '7b7216b327b04b8fbc8f524e1f9b7531',
    'c03055bc037c4ea9afb9a9f104b7b721',
  ),
  zoneWaf: area(
    'zone',
    'app_security',
    'Zone WAF',
    'dbc512b354774852af2b5a5f4ba3d470',
    'fb6778dc191143babbfaa57993f1d275',
  ),
  zoneLogs: area(
    'zone',
    'analytics_and_logs',
    'Logs',
    'c4a30cd58c5d42619c86a3c36c441e2d',
    '3e0b5820118e47f3922f7c989e673882',
  ),
  zoneTransform: area(
    'zone',
    'rules_and_configuration',
    'Zone Transform Rules',
    '211a4c0feb3e43b3a2d41f1443a433e7',
    '0ac90a90249747bca6b047d97f0803e9',
  ),
  zoneRedirect: area(
    'zone',
    'rules_and_configuration',
    'Dynamic URL Redirects',
    'd8e12db741544d1586ec1d6f5d3c7786',
    '74e1036f577a48528b78d2413b40538d',
  ),
  zoneOrigin: area(
    'zone',
    'rules_and_configuration',
    'Origin',
    '7b32a91ece3140d4b3c2c56f23fc8e35',
    'a4308c6855c84eb2873e01b6cc85cbb3',
  ),
  zoneConfig: area(
    'zone',
    'rules_and_configuration',
    'Config Settings',
    '20e5ea084b2f491c86b8d8d90abff905',
    '06f0526e6e464647bd61b63c54935235',
  ),
  zoneCompression: area(
    'zone',
    'rules_and_configuration',
    'Response Compression',
    '93ae59e7a40c4287a57ff6e501186a63',
    '4bd3fb513a23494aa1341a7e1eb6e080',
  ),
  zoneSanitize: area(
    'zone',
    'rules_and_configuration',
    'Sanitize',
    '853643ed57244ed1a05a7c024af9ab5a',
    '89bb8c37d46042e98b84560eaaa6379f',
  ),
  zoneErrors: area(
    'zone',
    'rules_and_configuration',
    'Custom Errors',
    'a2b55cd504d44ef18b7ba6a7f2b8fbb1',
    'a9dba34cf5814d4ab2007b4ada0045bd',
  ),
  zonePages: area(
    'zone',
    'rules_and_configuration',
    'Custom Pages',
    'a2431ca73b7d41f99c53303027392586',
    'c244ec076974430a88bda1cdd992d0d9',
  ),
  pageRules: area(
    'zone',
    'rules_and_configuration',
    'Page Rules',
    'b415b70a4fd1412886f164451f20405c',
    'ed07f6c337da4195b4e72a1fb2c6bcae',
  ),
  botManagement: area(
    'zone',
    'app_security',
    'Bot Management',
    '07bea2220b2343fa9fae15656c0d8e88',
    '3b94c49258ec4573b06d51d99b6416c0',
  ),
  healthchecks: area(
    'zone',
    'network_services',
    'Health Checks',
    'fac65912d42144aa86b7dd33281bf79e',
    'e0dc25a0fbdf4286b1ea100e3256b0e3',
  ),
  zoneFirewall: area(
    'zone',
    'app_security',
    'Firewall Services',
    '4ec32dfcb35641c5bb32d5ef1ab963b4',
    '43137f8d07884d3198dc0ee77ca6e79b',
  ),
  zoneCache: area(
    'zone',
    'rules_and_configuration',
    'Cache Settings',
    '3245da1cf36c45c3847bb9b483c62f97',
    '9ff81cbbe65c400b97d92c3c1033cab6',
  ),
  zoneDdos: area(
    'zone',
    'app_security',
    'HTTP DDoS Managed Ruleset',
    'c49f8d15f9f44885a544d945ef5aa6ae',
    'b88a3aa889474524bccea5cf18f122bf',
  ),
  zoneSnippets: area(
    'zone',
    'rules_and_configuration',
    'Snippets',
    '74c654eb4aac40e28d6c6caa4c5aeb3d',
    'dadeaf3abdf14126a77a35e0c92fc36e',
  ),
  zoneConnector: area(
    'zone',
    'rules_and_configuration',
    'Cloud Connector',
    '0661ff47aa3a4786beab3b8128e0cd24',
    'eafd71286d0e4fdca404a7b4d203c5c9',
  ),
  zoneGateway: {
    read: group('zone', 'app_security', 'Domain API Gateway Read', '6ced5d0d69b1422396909a62c38ab41b'),
    write: group('zone', 'app_security', 'Domain API Gateway', 'f0235726de25444a84f704b7c93afadf'),
  },
  account: area(
    'account',
    'account_and_billing',
    'Account Settings',
    'c1fde68c7bcc44588cbb6ddbc16d6480',
    '1af1fa2adc104452b74a9a3364202f20',
  ),
  accountWaf: area(
    'account',
    'app_security',
    'Account WAF',
    '56b2af4817c84ad99187911dc3986c23',
    'cde8c82463b6414ca06e46b9633f52a6',
  ),
  accountFirewall: area(
    'account',
    'app_security',
    'Account Firewall Access Rules',
    'de7a688cc47d43bd9ea700b467a09c96',
    'a416acf9ef5a4af19fb11ed3b96b1fe6',
  ),
  accountRulesets: area(
    'account',
    'rules_and_configuration',
    'Account Rulesets',
    'fb39996ee9044d2a8725921e02744b39',
    '56907406c3d548ed902070ec4df0e328',
  ),
  accountLists: area(
    'account',
    'rules_and_configuration',
    'Account Rule Lists',
    '4f1071168de8466e9808de86febfc516',
    '2edbf20661fd4661b0fe10e9e12f485c',
  ),
  loadBalancingPools: area(
    'account',
    'network_services',
    'Load Balancing: Monitors and Pools',
    '9d24387c6e8544e2bc4024a03991339f',
    'd2a1802cc9a34e30852f8b33869b2f3c',
  ),
  accountLogs: area(
    'account',
    'analytics_and_logs',
    'Logs',
    '6a315a56f18441e59ed03352369ae956',
    '96163bd1b0784f62b3e44ed8c2ab1eb6',
  ),
  accountTransform: area(
    'account',
    'rules_and_configuration',
    'Transform Rules',
    'a9a99455bf3245f6a5a244f909d74830',
    'ae16e88bc7814753a1894c7ce187ab72',
  ),
  accountRedirects: area(
    'account',
    'rules_and_configuration',
    'Mass URL Redirects',
    '429a068902904c5a9ed9fc267c67da9a',
    'abe78e2276664f4db588c1f675a77486',
  ),
  accountConfig: area(
    'account',
    'rules_and_configuration',
    'Select Configuration',
    '595409c54a24444b80a495620b2d614c',
    '235eac9bb64942b49cb805cc851cb000',
  ),
  accountPages: area(
    'account',
    'rules_and_configuration',
    'Account Custom Pages',
    'c57ea647ef654b47bc8944fa739b570d',
    '8a9d35a7c8504208ad5c3e8d58e6162d',
  ),
  accountDdos: area(
    'account',
    'network_services',
    'L4 DDoS Managed Ruleset',
    '4657621393f94f83b8ef94adba382e48',
    '7a4c3574054a4d0ba7c692893ba8bdd4',
  ),
  magicFirewall: area(
    'account',
    'network_services',
    'Magic Firewall',
    '02b71f12bb0748e9af8126494e181342',
    '8bd1dac84d3d43e7bfb43145f010a15c',
  ),
  notifications: area(
    'account',
    'account_and_billing',
    'Notifications',
    'ce18edbdcebf465e9d6d1d2fc80ffd42',
    'c3c847c5802d4ce3ba00e3e97b3c8555',
  ),
  requestTracer: readOnlyArea(
    'account',
    'rules_and_configuration',
    'Allow Request Tracer Read',
    'f3604047d46144d2a3e9cf4ac99d7f16',
  ),
  accountTokens: area(
    'account',
    'account_and_billing',
    'Account API Tokens',
    'eb56a6953c034b9d97dd838155666f06',
    '5bc3f8b21c554832afc660159ab75fa4',
  ),
  userTokens: area(
    'user',
    'account_and_billing',
    'API Tokens',
    '0cc3a61731504c89b99ec1be78b77aa0',
    '686d18d5ac6c441c867cbf6771e58a0a',
  ),
} as const

/** Every area, in the order of the list. */
export const areaNames = Object.keys(areas) as readonly Area[]

/** Sluice's own group: every permission, also of later versions. The administrator's token has it. */
export const superAdministrator: PermissionGroup = {
  id: '5a1c0de00000000000000000000000a1',
  name: 'Super Administrator - All Privileges',
  scopes: ['account', 'zone', 'user'],
  category: 'account_and_billing',
}

/** Every group that grants something. */
export const permissionGroups: readonly PermissionGroup[] = [
  superAdministrator,
  ...new Set(Object.values(areas).flatMap(pair => [pair.read, pair.write])),
]

/** Every group of Cloudflare's, in the order of the API. */
export const allGroups: readonly PermissionGroup[] = [...permissionGroups, ...groupsWithoutEffect]

const byId: ReadonlyMap<string, PermissionGroup> = new Map(allGroups.map(group => [group.id, group]))

export function groupById(id: string): PermissionGroup | undefined {
  return byId.get(id)
}

export function groupOf(name: Area, level: Level): PermissionGroup {
  return areas[name][level]
}

/** The write group of a read group: write permission includes read permission. */
export function writeGroupOf(id: string): PermissionGroup | undefined {
  return Object.values(areas).find(pair => pair.read.id === id)?.write
}

/** All rights on every account, zone and user of the installation. */
export const everything: Omit<TokenPolicy, 'id'> = {
  effect: 'allow',
  permissionGroups: [{ id: superAdministrator.id }],
  resources: {
    'com.cloudflare.api.account.*': '*',
    'com.cloudflare.api.account.zone.*': '*',
    'com.cloudflare.api.user.*': '*',
  },
}

function area(
  scope: GroupScope,
  category: Category,
  name: string,
  readId: string,
  writeId: string,
): { readonly read: PermissionGroup; readonly write: PermissionGroup } {
  return {
    read: group(scope, category, `${name} Read`, readId),
    write: group(scope, category, `${name} Write`, writeId),
  }
}

/** An area without writes: the read group covers it. */
function readOnlyArea(
  scope: GroupScope,
  category: Category,
  name: string,
  id: string,
): { readonly read: PermissionGroup; readonly write: PermissionGroup } {
  const read = group(scope, category, name, id)
  return { read, write: read }
}

function group(scope: GroupScope, category: Category, name: string, id: string): PermissionGroup {
  return { id, name, scopes: [scope], category }
}
