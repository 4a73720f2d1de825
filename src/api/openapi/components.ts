import type { TSchema } from 'typebox'
import { rulesetSchemas } from '../../rulesets/index.ts'
import { auditLogSchema } from '../access/audit/routes.ts'
import { accountPermissionsSchema, zonePermissionsSchema } from '../access/permissions/own.ts'
import {
  recoveryCodesSchema,
  signInSchema,
  totpSchema,
  userSessionSchema,
  waysSchema,
} from '../access/sign-in/wire.ts'
import {
  createdTokenSchema,
  permissionGroupSchema,
  tokenSchema,
  tokenStatusSchema,
  tokenValueSchema,
} from '../access/tokens/wire.ts'
import { accountSchema } from '../accounts/wire.ts'
import { eventSchema } from '../analytics/event-schema.ts'
import { raySchema } from '../analytics/ray.ts'
import {
  accountOverviewSchema,
  ruleHitsSchema,
  seriesSchema,
  timeseriesSchema,
  topSchema,
  overviewSchema as zoneOverviewSchema,
} from '../analytics/schemas.ts'
import { previewSchema } from '../analytics/what-if/exception-wire.ts'
import { samplingBody } from '../analytics/what-if/query.ts'
import { cellSchema, matrixSchema } from '../analytics/what-if/wire.ts'
import { certificateInUseSchema } from '../certificates/in-use.ts'
import { originClientCertificateSchema, trustStoreCertificateSchema } from '../certificates/origin-wire.ts'
import { customCertificateSchema } from '../certificates/wire.ts'
import { crsRuleSchema } from '../crs/rules.ts'
import { crsUpstreamSchema } from '../crs/upstream.ts'
import { comparisonSchema, releaseSchema } from '../crs/wire.ts'
import { customAssetSchema } from '../custom-pages/asset-wire.ts'
import { customPageSchema } from '../custom-pages/wire.ts'
import { dnsBatchSchema, dnsImportSchema, dnsRecordSchema } from '../dns/wire.ts'
import { accessRuleSchema } from '../firewall/access-rule-wire.ts'
import { lockdownSchema } from '../firewall/lockdowns.ts'
import { userAgentRuleSchema } from '../firewall/user-agent-rules.ts'
import { errorEntrySchema, failureSchema, messageSchema, pageInfoSchema } from '../http/envelope-schemas.ts'
import { idSchema } from '../http/schemas.ts'
import { coverageItemSchema, coverageSchema } from '../kept-resources/coverage.ts'
import {
  listItemIdsSchema,
  listItemSchema,
  listItemsSchema,
  listOperationSchema,
  listSchema,
  operationIdSchema,
} from '../lists/wire.ts'
import { poolHealthSchema, referenceSchema } from '../load-balancers/health.ts'
import { loadBalancerSchema } from '../load-balancers/load-balancer.ts'
import { monitorSchema } from '../load-balancers/monitor.ts'
import { poolSchema } from '../load-balancers/pool.ts'
import { existsSchema, ownershipSchema, validSchema } from '../logpush/checks.ts'
import { fieldsSchema } from '../logpush/datasets.ts'
import { healthSchema } from '../logpush/health-wire.ts'
import { jobIdSchema, jobInputSchema, jobSchema, jobUpdateSchema } from '../logpush/job-wire.ts'
import { overviewSchema as logpushOverviewSchema } from '../logpush/overview.ts'
import { replaySchema } from '../logpush/replays.ts'
import { sessionSchema } from '../logs/instant-logs.ts'
import { retentionSchema } from '../logs/logpull.ts'
import { redactionSchema } from '../logs/redaction.ts'
import { sampleSchema } from '../logs/sample.ts'
import {
  createdMemberSchema,
  invitationSchema,
  memberSchema,
  membershipSchema,
  roleSchema,
  userSchema,
} from '../members/wire.ts'
import { policySchema, sentSchema, webhookSchema } from '../notifications/wire.ts'
import { rolloutSchema } from '../rollout/routes.ts'
import { ipRangesSchema } from '../system/ip-ranges.ts'
import { traceBody } from '../trace/body.ts'
import { traceItemSchema, traceSchema } from '../trace/schemas.ts'
import { edgeAddressSchema } from '../zones/edge-address.ts'
import { subscriptionSchema } from '../zones/fixed-features.ts'
import { credentialDetectionSchema, leakedCredentialChecksSchema } from '../zones/leaked-credentials.ts'
import { managedHeadersSchema } from '../zones/managed-transforms.ts'
import { originCheckSchema } from '../zones/origin-check.ts'
import { zoneSettingSchema } from '../zones/setting-values.ts'
import { shadowSchema } from '../zones/shadow.ts'
import { urlNormalizationSchema } from '../zones/url-normalization.ts'
import { zoneSchema } from '../zones/wire.ts'

const parameters = Object.entries(rulesetSchemas.parameters).map(([action, schema]) => [
  `Parameters_${action}`,
  schema,
])

/** The names of schemas in the OpenAPI document and in the dashboard's types. */
export const components: Readonly<Record<string, TSchema>> = {
  ErrorEntry: errorEntrySchema,
  Message: messageSchema,
  PageInfo: pageInfoSchema,
  Failure: failureSchema,
  Id: idSchema,
  Account: accountSchema,
  User: userSchema,
  Member: memberSchema,
  CreatedMember: createdMemberSchema,
  Invitation: invitationSchema,
  OwnSignIn: signInSchema,
  SignInWays: waysSchema,
  UserSession: userSessionSchema,
  TotpSecret: totpSchema,
  RecoveryCodes: recoveryCodesSchema,
  Membership: membershipSchema,
  Role: roleSchema,
  IpRanges: ipRangesSchema,
  Subscription: subscriptionSchema,
  Coverage: coverageSchema,
  CoverageItem: coverageItemSchema,
  CrsRule: crsRuleSchema,
  Zone: zoneSchema,
  Rule: rulesetSchemas.rule,
  RulesetSummary: rulesetSchemas.summary,
  Ruleset: rulesetSchemas.ruleset,
  RulesetInput: rulesetSchemas.createBody,
  RulesetUpdate: rulesetSchemas.replaceBody,
  EntryPointUpdate: rulesetSchemas.entryPointBody,
  RuleInput: rulesetSchemas.ruleCreate,
  RuleUpdate: rulesetSchemas.ruleUpdate,
  RateLimit: rulesetSchemas.rateLimit,
  Position: rulesetSchemas.position,
  ...Object.fromEntries(parameters),
  List: listSchema,
  ListItem: listItemSchema,
  ListItemsInput: listItemsSchema,
  ListItemIds: listItemIdsSchema,
  OperationId: operationIdSchema,
  ListOperation: listOperationSchema,
  EdgeAddress: edgeAddressSchema,
  OriginCheck: originCheckSchema,
  CrsRelease: releaseSchema,
  CrsComparison: comparisonSchema,
  CrsUpstream: crsUpstreamSchema,
  AccountPermissions: accountPermissionsSchema,
  ZonePermissions: zonePermissionsSchema,
  DnsRecord: dnsRecordSchema,
  DnsBatch: dnsBatchSchema,
  DnsImport: dnsImportSchema,
  Monitor: monitorSchema,
  Pool: poolSchema,
  PoolHealth: poolHealthSchema,
  LoadBalancer: loadBalancerSchema,
  LoadBalancingReference: referenceSchema,
  Shadow: shadowSchema,
  ZoneSetting: zoneSettingSchema,
  CustomCertificate: customCertificateSchema,
  OriginClientCertificate: originClientCertificateSchema,
  TrustStoreCertificate: trustStoreCertificateSchema,
  CustomAsset: customAssetSchema,
  CustomPage: customPageSchema,
  AccessRule: accessRuleSchema,
  UserAgentRule: userAgentRuleSchema,
  Lockdown: lockdownSchema,
  CertificateInUse: certificateInUseSchema,
  LeakedCredentialChecks: leakedCredentialChecksSchema,
  CredentialDetection: credentialDetectionSchema,
  UrlNormalization: urlNormalizationSchema,
  ManagedHeaders: managedHeadersSchema,
  LogpushJobInput: jobInputSchema,
  LogpushJobUpdate: jobUpdateSchema,
  LogpushJob: jobSchema,
  JobId: jobIdSchema,
  LogpushReplay: replaySchema,
  LogpushHealth: healthSchema,
  LogpushOverview: logpushOverviewSchema,
  Redaction: redactionSchema,
  InstantSession: sessionSchema,
  LogSample: sampleSchema,
  LogRetention: retentionSchema,
  Fields: fieldsSchema,
  Ownership: ownershipSchema,
  Valid: validSchema,
  Exists: existsSchema,
  SecurityEvent: eventSchema,
  SecurityRay: raySchema,
  SecuritySeries: seriesSchema,
  SecurityTimeseries: timeseriesSchema,
  SecurityTop: topSchema,
  SecurityRuleHits: ruleHitsSchema,
  SecurityOverview: zoneOverviewSchema,
  SecurityAccountOverview: accountOverviewSchema,
  WhatIf: matrixSchema,
  WhatIfCell: cellSchema,
  WhatIfSampling: samplingBody,
  ExceptionPreview: previewSchema,
  NotificationPolicy: policySchema,
  NotificationWebhook: webhookSchema,
  SentNotification: sentSchema,
  Rollout: rolloutSchema,
  TraceInput: traceBody,
  TraceItem: traceItemSchema,
  RequestTrace: traceSchema,
  Token: tokenSchema,
  CreatedToken: createdTokenSchema,
  TokenValue: tokenValueSchema,
  TokenStatus: tokenStatusSchema,
  PermissionGroup: permissionGroupSchema,
  AuditLog: auditLogSchema,
}
