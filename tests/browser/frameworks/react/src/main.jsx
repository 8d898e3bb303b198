import { createRoot } from "react-dom/client";
import { createBrowserRouter, Link, Navigate, Outlet, RouterProvider, useLoaderData, useNavigate } from "react-router-dom";

const data = (path) => fetch(path).then((response) => response.json());

function Layout() {
  const navigate = useNavigate();
  return (
    <>
      <nav><Link to="/list/1">Shop</Link> <Link to="/about">About</Link></nav>
      <main><Outlet /></main>
      <button onClick={() => navigate("/decoy/button")}>Buy</button>
    </>
  );
}

function List() {
  const { items, next } = useLoaderData();
  return (
    <>
      <ul>{items.map((each) => <li key={each.id}><Link to={`/item/${each.id}`}>{each.name}</Link></li>)}</ul>
      {next && <Link to={`/list/${next}`}>Next</Link>}
    </>
  );
}

function Item() {
  const { name, text } = useLoaderData();
  return <article><h1>{name}</h1><p>{text}</p></article>;
}

const router = createBrowserRouter([
  {
    path: "/",
    Component: Layout,
    HydrateFallback: () => null,
    children: [
      { index: true, element: <Navigate to="/list/1" /> },
      { path: "list/:page", Component: List, loader: ({ params }) => data(`/data/list/${params.page}.json`) },
      { path: "item/:id", Component: Item, loader: ({ params }) => data(`/data/item/${params.id}.json`) },
      { path: "about", lazy: () => import("./about.jsx") },
      { path: "decoy/route", Component: Item, loader: () => data("/decoy/data.json") },
    ],
  },
]);

createRoot(document.getElementById("root")).render(<RouterProvider router={router} />);
