# says: "pointer":"/rules/0/action_parameters/id"
# says: there is no ruleset with this id to execute; GET /rulesets lists them

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
      id = "0123456789abcdef0123456789abcdef"
    }
  }]
}
