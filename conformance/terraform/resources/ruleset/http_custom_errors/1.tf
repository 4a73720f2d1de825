variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_custom_errors"
  description = "first"
  kind        = "zone"
  phase       = "http_custom_errors"
  rules = [{
    expression = "http.response.code ge 500"
    action     = "serve_error"
    action_parameters = {
      content      = "<p>later</p>"
      content_type = "text/html"
      status_code  = 503
    }
  }]
}
