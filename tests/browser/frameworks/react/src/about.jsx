import { Link } from "react-router-dom";

export const Component = () => <p>Founded in 1902. <Link to="/list/2">More of the shop</Link></p>;
