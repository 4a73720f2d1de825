variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_custom_errors"
  description = "second"
  kind        = "zone"
  phase       = "http_custom_errors"
  rules = [{
    expression = "http.response.code ge 500"
    action     = "serve_error"
    action_parameters = {
      content      = "later"
      content_type = "text/plain"
    }
  }]
}
