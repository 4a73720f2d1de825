# says: "pointer":"/rules/0/action_parameters/id"
# says: the rules of the Cloudflare Managed Ruleset belong to Cloudflare; SLUICE_NOT_ENFORCED=keep stores it without effect
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
      id = "efb7b8c949ac4650a09736fc376e9aee"
    }
  }]
}
