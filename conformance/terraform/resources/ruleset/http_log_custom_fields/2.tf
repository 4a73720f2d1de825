variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_log_custom_fields"
  description = "second"
  kind        = "zone"
  phase       = "http_log_custom_fields"
  rules = [{
    expression = "true"
    action     = "log_custom_field"
    action_parameters = {
      request_fields  = [{ name = "x-a" }]
      response_fields = [{ name = "x-b" }]
      cookie_fields   = [{ name = "c" }]
    }
  }]
}
