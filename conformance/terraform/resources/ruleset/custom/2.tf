variable "account_id" {}

resource "cloudflare_ruleset" "this" {
  account_id  = var.account_id
  name        = "http_request_firewall_custom"
  description = "second"
  kind        = "custom"
  phase       = "http_request_firewall_custom"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "block"
    action_parameters = {
      response = {
        status_code  = 451
        content      = "no"
        content_type = "text/plain"
      }
    }
  }]
}
