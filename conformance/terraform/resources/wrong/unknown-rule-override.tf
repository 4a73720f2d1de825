# says: "pointer":"/rules/0/action_parameters/overrides/rules/0/id"
# says: has no rule with this id; GET /rulesets/4814384a9e5d4991b9815dcfc25d2f1f lists its rules with their CRS numbers
# Not wrong with SLUICE_NOT_ENFORCED=keep.

variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id = var.zone_id
  name    = "default"
  kind    = "zone"
  phase   = "http_request_firewall_managed"
  rules = [{
    action     = "execute"
    expression = "true"
    action_parameters = {
      id = "4814384a9e5d4991b9815dcfc25d2f1f"
      overrides = {
        rules = [{ id = "0123456789abcdef0123456789abcdef", enabled = false }]
      }
    }
  }]
}
