variable "zone_id" {}

resource "cloudflare_managed_transforms" "this" {
  zone_id = var.zone_id
  managed_request_headers = [{
    id      = "add_visitor_location_headers"
    enabled = true
  }]
  managed_response_headers = [{
    id      = "remove_x_powered_by_headers"
    enabled = true
  }]
}
