variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_dynamic_redirect"
  description = "second"
  kind        = "zone"
  phase       = "http_request_dynamic_redirect"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "redirect"
    action_parameters = {
      from_value = {
        status_code           = 302
        target_url            = { expression = "concat(\"https://example.com\", http.request.uri.path)" }
        preserve_query_string = true
      }
    }
  }]
}
