variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_dynamic_redirect"
  description = "first"
  kind        = "zone"
  phase       = "http_request_dynamic_redirect"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "redirect"
    action_parameters = {
      from_value = {
        status_code = 301
        target_url  = { value = "https://example.com/" }
      }
    }
  }]
}
