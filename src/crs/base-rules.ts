/**
 * The sources around every CRS release: engine settings and the rules that any ModSecurity installation has beside
 * the CRS. Written here, with the numbers to which existing logs and exclusions refer.
 */

/** Loaded before everything else. */
export const baseRules = String.raw`
SecRuleEngine On

# The edge hands over the first part of a long body and lets the rest pass on, so that size alone refuses nothing.
SecRequestBodyAccess On
SecRequestBodyLimit 13107200
SecRequestBodyNoFilesLimit 1048576
SecRequestBodyLimitAction ProcessPartial
SecRequestBodyJsonDepthLimit 512
SecArgumentsLimit 1000
SecArgumentSeparator &
SecCookieFormat 0

SecResponseBodyAccess On
SecResponseBodyMimeType text/plain text/html text/xml application/json
SecResponseBodyLimit 1048576
SecResponseBodyLimitAction ProcessPartial

# Which parser reads the body; forms and multipart are recognised by the engine itself.
SecRule REQUEST_HEADERS:Content-Type "@rx ^(?:application(?:/soap\+|/)|text/)xml" \
    "id:200000,phase:1,pass,nolog,t:none,t:lowercase,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "@rx ^application/json" \
    "id:200001,phase:1,pass,nolog,t:none,t:lowercase,ctl:requestBodyProcessor=JSON"
SecRule REQUEST_HEADERS:Content-Type "@rx ^application/[a-z0-9.-]+[+]json" \
    "id:200006,phase:1,pass,nolog,t:none,t:lowercase,ctl:requestBodyProcessor=JSON"

# A body that could not be read in full could hide anything.
SecRule REQBODY_ERROR "!@eq 0" \
    "id:200002,phase:2,deny,status:400,log,t:none,msg:'The request body could not be parsed',\
    logdata:'%{REQBODY_ERROR_MSG}',severity:CRITICAL"
SecRule MULTIPART_STRICT_ERROR "!@eq 0" \
    "id:200003,phase:2,deny,status:400,log,t:none,msg:'The multipart request body is malformed',severity:CRITICAL"
SecRule MULTIPART_UNMATCHED_BOUNDARY "@eq 1" \
    "id:200004,phase:2,deny,log,t:none,msg:'The multipart request body holds a boundary that is not its own',\
    severity:CRITICAL"
# Whether such a request passes is for SLUICE_ON_ERROR to say.
SecRule TX:/^MSC_/ "!@streq 0" \
    "id:200005,phase:2,pass,log,t:none,msg:'The engine set an error flag',logdata:'%{MATCHED_VAR_NAME}'"
`

/**
 * Loaded right after crs-setup.conf. All rules run at every paranoia level: for the managed ruleset a level is
 * only a tag that overrides switch off. The first two variables belong to CRS 4, the others to 3.3.
 */
export const afterSetupRules = String.raw`
SecAction "id:200900,phase:1,pass,nolog,t:none,\
    setvar:tx.blocking_paranoia_level=4,setvar:tx.detection_paranoia_level=4,\
    setvar:tx.paranoia_level=4,setvar:tx.executing_paranoia_level=4"
`
