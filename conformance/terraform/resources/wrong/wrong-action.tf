# says: "pointer":"/rules/0/action"
# says: the rewrite action in a ruleset with phase http_request_firewall_custom and kind zone; possible are block, challenge

variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id = var.zone_id
  name    = "default"
  kind    = "zone"
  phase   = "http_request_firewall_custom"
  rules = [{
    action     = "rewrite"
    expression = "true"
    action_parameters = {
      uri = {
        path = { value = "/" }
      }
    }
  }]
}
