variable "zone_id" {}

resource "cloudflare_managed_transforms" "this" {
  zone_id = var.zone_id
  managed_request_headers = [
    {
      id      = "add_true_client_ip_headers"
      enabled = true
    },
    {
      id      = "add_bot_protection_headers"
      enabled = false
    },
  ]
  managed_response_headers = [{
    id      = "remove_x-powered-by_header"
    enabled = true
  }]
}
