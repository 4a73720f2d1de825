variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_late_transform"
  description = "first"
  kind        = "zone"
  phase       = "http_request_late_transform"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "rewrite"
    action_parameters = {
      headers = {
        "X-A" = { operation = "set", value = "1" }
      }
    }
  }]
}
