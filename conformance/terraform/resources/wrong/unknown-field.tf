# says: "pointer":"/rules/0/expression"
# says: Filter parsing error (1:1)
# says: unknown identifier (did you mean http.request.uri.path?)

variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id = var.zone_id
  name    = "default"
  kind    = "zone"
  phase   = "http_request_firewall_custom"
  rules = [{
    action     = "block"
    expression = "http.request.uri.pth eq \"/a\""
  }]
}
