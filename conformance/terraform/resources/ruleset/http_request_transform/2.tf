variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_request_transform"
  description = "second"
  kind        = "zone"
  phase       = "http_request_transform"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "rewrite"
    action_parameters = {
      uri = {
        query = { value = "a=b" }
      }
    }
  }]
}
