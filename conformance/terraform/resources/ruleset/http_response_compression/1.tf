variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_response_compression"
  description = "first"
  kind        = "zone"
  phase       = "http_response_compression"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "compress_response"
    action_parameters = {
      algorithms = [{ name = "zstd" }, { name = "auto" }]
    }
  }]
}
