variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_response_headers_transform"
  description = "second"
  kind        = "zone"
  phase       = "http_response_headers_transform"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "rewrite"
    action_parameters = {
      headers = {
        "X-A" = { operation = "set", expression = "http.host" }
      }
    }
  }]
}
