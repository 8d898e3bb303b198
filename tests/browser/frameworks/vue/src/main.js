import { createApp } from "vue";
import { createRouter, createWebHistory } from "vue-router";
import App from "./App.vue";
import Item from "./Item.vue";
import List from "./List.vue";

const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: "/", redirect: "/list/1" },
    { path: "/list/:page", component: List, props: true },
    { path: "/item/:id", component: Item, props: true },
    { path: "/about", component: () => import("./About.vue") },
    { path: "/decoy/route", component: Item, props: { id: "decoy" } },
  ],
});

createApp(App).use(router).mount("#app");
