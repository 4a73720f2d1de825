variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_firewall_custom"
  description = "second"
  kind        = "zone"
  phase       = "http_request_firewall_custom"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "managed_challenge"
    ref        = "a"
    enabled    = false
  }]
}
