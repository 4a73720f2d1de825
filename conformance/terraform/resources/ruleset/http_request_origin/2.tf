variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_origin"
  description = "second"
  kind        = "zone"
  phase       = "http_request_origin"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "route"
    action_parameters = {
      origin = {
        host = "b.example.com"
        port = 8443
      }
    }
  }]
}
