variable "account_id" {}

resource "cloudflare_ruleset" "this" {
  account_id  = var.account_id
  name        = "http_request_firewall_custom"
  description = "first"
  kind        = "custom"
  phase       = "http_request_firewall_custom"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "log"
  }]
}
