# says: "pointer":"/rules/0/action_parameters/overrides/rules/0/score_threshold"
# says: only the last rule of the ruleset has a score threshold

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
        rules = [{ id = "8ac8bc2a661e475d940980f9317f28e1", score_threshold = 25 }]
      }
    }
  }]
}
