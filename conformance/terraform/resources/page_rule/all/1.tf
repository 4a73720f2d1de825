variable "zone_id" {}
variable "domain" {}

resource "cloudflare_page_rule" "this" {
  zone_id = var.zone_id
  target  = "${var.domain}/old/*"
  actions = {
    forwarding_url = {
      url         = "https://${var.domain}/new/$1"
      status_code = 301
    }
  }
}
