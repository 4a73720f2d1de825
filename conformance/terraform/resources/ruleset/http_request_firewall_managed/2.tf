variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_firewall_managed"
  description = "second"
  kind        = "zone"
  phase       = "http_request_firewall_managed"
  rules = [{
    action     = "execute"
    expression = "true"
    action_parameters = {
      id = "4814384a9e5d4991b9815dcfc25d2f1f"
      overrides = {
        categories = [{ category = "paranoia-level-4", enabled = false }]
        rules = [
          { id = "6179ae15870a4bb7b2d480d4843b323c", action = "log", score_threshold = 25 },
          { id = "8ac8bc2a661e475d940980f9317f28e1", enabled = false },
        ]
      }
    }
  }]
}
