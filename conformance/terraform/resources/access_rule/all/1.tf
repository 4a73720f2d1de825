variable "zone_id" {}

resource "cloudflare_access_rule" "this" {
  zone_id = var.zone_id
  mode    = "block"
  notes   = "a scanner"
  configuration = {
    target = "ip_range"
    value  = "198.51.100.0/24"
  }
}
