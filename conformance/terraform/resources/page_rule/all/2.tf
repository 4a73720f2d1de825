variable "zone_id" {}
variable "domain" {}

resource "cloudflare_page_rule" "this" {
  zone_id  = var.zone_id
  target   = "${var.domain}/other/*"
  priority = 2
  status   = "disabled"
  actions = {
    cache_level = "bypass"
  }
}
