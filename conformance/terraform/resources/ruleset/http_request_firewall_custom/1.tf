variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_firewall_custom"
  description = "first"
  kind        = "zone"
  phase       = "http_request_firewall_custom"
  rules = [{
    expression  = "starts_with(http.request.uri.path, \"/a\")"
    action      = "block"
    ref         = "a"
    description = "no a"
  }]
}
