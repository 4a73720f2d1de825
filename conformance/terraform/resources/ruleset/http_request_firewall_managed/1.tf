variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_firewall_managed"
  description = "first"
  kind        = "zone"
  phase       = "http_request_firewall_managed"
  rules = [{
    action     = "execute"
    expression = "true"
    action_parameters = {
      id = "4814384a9e5d4991b9815dcfc25d2f1f"
    }
  }]
}
