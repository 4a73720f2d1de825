variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_config_settings"
  description = "second"
  kind        = "zone"
  phase       = "http_config_settings"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "set_config"
    action_parameters = {
      security_level = "off"
    }
  }]
}
